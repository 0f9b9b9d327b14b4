/** An error that says all there is to say in its message: it is shown without a stack. */
export const problem = (message) => Object.assign(new Error(message), { plain: true })
