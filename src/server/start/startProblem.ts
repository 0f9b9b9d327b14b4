/** A reason the app cannot start; the message is a plain sentence saying what the person should do. */
export class StartProblem extends Error {
  override name = 'StartProblem'
}
