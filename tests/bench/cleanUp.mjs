const left = []

/** Remembers what must be undone however a run ends; answers how to undo it earlier. */
export function later(undo) {
  let done
  const once = () => (done ??= Promise.resolve(undo()))
  left.push(once)
  return once
}

/** Undoes everything, the latest first; one that fails keeps none of the others from being undone. */
export async function cleanUp() {
  for (let undo = left.pop(); undo; undo = left.pop()) {
    await undo().catch((error) => console.error(error))
  }
}
