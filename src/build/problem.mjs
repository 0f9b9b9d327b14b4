/** An error that says all there is to say in its message: it is shown without a stack. */
export const problem = (message) => Object.assign(new Error(message), { plain: true })

/** Prints an error; what has `errors` comes from esbuild, which has printed them with file and line. */
export function printError(error) {
  if (!error.errors) console.error(error.plain ? error.message : error)
}
