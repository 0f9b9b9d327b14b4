/** Callbacks deferred until pointerup, each run once. */
const deferred = new Set<() => void>()
let isPressed = false

function onPointerDown(): void {
  isPressed = true
}

// The click event of the same press fires before a timeout.
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
// On the window only: a pointerup outside of it may never arrive.
addEventListener('blur', onPointerUp)

/**
 * Runs the callback at once, or after pointerup while a pointer is down. Blur fires on pointerdown; a layout
 * change at that moment would move the button away before its click.
 */
export function afterPointerUp(callback: () => void): void {
  if (isPressed) deferred.add(callback)
  else callback()
}
