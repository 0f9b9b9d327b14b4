/** What waits for the pointer that is down to come up; each work once. */
const deferred = new Set<() => void>()
let isPressed = false

function onPointerDown(): void {
  isPressed = true
}

// The click of the same press comes before a timeout.
function onPointerUp(): void {
  isPressed = false
  setTimeout(() => {
    const callbacks = [...deferred]
    deferred.clear()
    for (const callback of callbacks) callback()
  })
}

addEventListener('pointerdown', onPointerDown, true)
addEventListener('pointerup', onPointerUp, true)
addEventListener('pointercancel', onPointerUp, true)
// Of the window alone: a release elsewhere may never be heard.
addEventListener('blur', onPointerUp)

/**
 * Does a work that moves what is on the page: at once, or while a pointer is down after its click. A field is left at
 * the press, and what moved away under the pointer then would never be clicked.
 */
export function afterPointerUp(callback: () => void): void {
  if (isPressed) deferred.add(callback)
  else callback()
}
