/**
 * The first control within an element that matches a selector; of a set of radio buttons the checked one, because the
 * arrow keys and the space bar would change the answer from any other.
 */
export function firstControl(
  within: ParentNode | null | undefined,
  selector = 'input, select, textarea',
): HTMLElement | undefined {
  const first = within?.querySelector<HTMLElement>(selector)
  if (!(first instanceof HTMLInputElement) || first.type !== 'radio') return first ?? undefined
  const radios = within!.querySelectorAll<HTMLInputElement>('input[type=radio]:checked')
  return [...radios].find(({ name }) => name === first.name) ?? first
}
