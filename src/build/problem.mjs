/** An error that its message explains fully: it is printed without a stack trace. */
export const problem = (message) => Object.assign(new Error(message), { plain: true })

/** Prints an error; one with `errors` comes from esbuild, which has printed them with file and line. */
export function printError(error) {
  if (!error.errors) console.error(error.plain ? error.message : error)
}
