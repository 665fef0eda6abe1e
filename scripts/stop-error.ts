/** Why a command can't go on, told to the one who runs it. The message never holds a secret. */
export class StopError extends Error {
  override readonly name: string = 'StopError';
}

/** The file to import can't be read as a whole. */
export class InputError extends StopError {
  override readonly name = 'InputError';
}
