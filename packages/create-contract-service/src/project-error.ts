/** Why a project can't be made, in words for who wants it. */
export class ProjectError extends Error {
  override readonly name = 'ProjectError';
}
