/**
 * The function with its results cached by its argument, for objects that never change: a form that is edited keeps the
 * objects of all parts that are not edited.
 */
export function memoised<Key extends object, Result>(compute: (key: Key) => Result): (key: Key) => Result {
  const results = new WeakMap<Key, { result: Result }>()
  return (key) => {
    const known = results.get(key)
    if (known) return known.result
    const result = compute(key)
    results.set(key, { result })
    return result
  }
}
