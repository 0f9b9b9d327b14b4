/** What waits for the pointer that is down to come up; each work once. */
const waiting = new Set<() => void>()
let isPressed = false

function press(): void {
  isPressed = true
}

// The click of the same press comes before a timeout.
function release(): void {
  isPressed = false
  setTimeout(() => {
    const works = [...waiting]
    waiting.clear()
    for (const work of works) work()
  })
}

addEventListener('pointerdown', press, true)
addEventListener('pointerup', release, true)
addEventListener('pointercancel', release, true)
// Of the window alone: a release elsewhere may never be heard.
addEventListener('blur', release)

/**
 * Does a work that moves what is on the page: at once, or while a pointer is down after its click. A field is left at
 * the press, and what moved away under the pointer then would never be clicked.
 */
export function afterPress(work: () => void): void {
  if (isPressed) waiting.add(work)
  else work()
}
