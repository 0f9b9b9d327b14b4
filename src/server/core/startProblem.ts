/** A reason the app cannot start; the message is a plain sentence saying what the person should do. */
export class StartProblem extends Error {
  override name = 'StartProblem'
}

/** The embedded database belongs to another process, such as the running product. */
export class DataFolderInUse extends StartProblem {}

/** The migrations of a database are not those of this version: one changed, or is unknown. */
export class MigrationMismatch extends StartProblem {}
