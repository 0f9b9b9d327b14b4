/** Does things one after the other and answers how many: each is one interaction, a key press, a click or a text typed. */
export async function interactions(steps: (() => Promise<unknown>)[]): Promise<number> {
  for (const step of steps) await step()
  return steps.length
}
