import { DatabaseError } from 'pg';

/** What another try may not meet: a connection that broke, a server that is no primary, a missing answer. */
export class TransientError extends Error {
  override readonly name: string = 'TransientError';
}

/** No server can be used, each for a reason that the message gives. */
export class NoPrimaryError extends TransientError {
  override readonly name = 'NoPrimaryError';

  constructor(
    message: string,
    /** Whether none of the reasons will pass by itself. */
    readonly isSetupFault: boolean,
  ) {
    super(message);
  }
}

/** What no other try will mend: the operator has to. */
export class SetupError extends Error {
  override readonly name: string = 'SetupError';
}

/** SQLSTATEs (PostgreSQL documentation, appendix A) of what has passed at the next try, here or on another server. */
const TRANSIENT = /^(08...|57P01|57P02|57P03|40001|40P01|40003|53300|55P03|57014|23505|25006)$/;
/** A value is what the server can't take: a fault of ours, or a constraint of its own. */
const REFUSED_VALUE = /^(22|23)/;
/** Of these a transaction that failed has left nothing behind. Others may come after its commit. */
const ROLLED_BACK = /^(22...|23...|42...|40001|40P01|55P03|57014|25006)$/;
/** Credentials, a missing database, missing rights. */
const SETUP = /^(28...|3D000|42...)$/;

const codeOf = (error: unknown): string =>
  error instanceof DatabaseError ? (error.code ?? '') : '';

/** Whether the same may succeed in a moment. */
export function isTransient(error: unknown): boolean {
  return error instanceof TransientError || TRANSIENT.test(codeOf(error));
}

/** Whether it is one row that fails a statement, which the others may do without. */
export function isRefusedValue(error: unknown): boolean {
  return REFUSED_VALUE.test(codeOf(error)) && !isTransient(error);
}

/** Whether the statement can't be executed, whatever the rows: a fault of ours, or a right that was taken away. */
export function isRefusedStatement(error: unknown): boolean {
  return codeOf(error).startsWith('42');
}

/** Whether the statement that failed so is sure to have changed nothing. */
export function isRolledBack(error: unknown): boolean {
  return ROLLED_BACK.test(codeOf(error));
}

/** Whether it is the setup that is wrong, not the moment. */
export function isSetupFault(error: unknown): boolean {
  if (error instanceof NoPrimaryError) return error.isSetupFault;
  return error instanceof SetupError || SETUP.test(codeOf(error));
}

export function isUndefinedTable(error: unknown): boolean {
  return codeOf(error) === '42P01';
}

export function isMissingRight(error: unknown): boolean {
  return codeOf(error) === '42501';
}
