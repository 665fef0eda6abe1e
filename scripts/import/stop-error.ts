/** Why the import can't go on, told to the one who runs it. The message never holds the token. */
export class StopError extends Error {
  override readonly name: string = 'StopError';
}

/** The file as a whole can't be imported. */
export class InputError extends StopError {
  override readonly name = 'InputError';
}
