import { useEffect, useState } from 'react'
import { describeStrength } from '../../../contract/passwordStrength.ts'

/** How strong the password in an input is, in words, while it is typed; `input` is the id of the input. */
export default function Strength({ input }: { input: string }) {
  const [typed, setTyped] = useState('')
  useEffect(() => {
    const box = document.getElementById(input) as HTMLInputElement | null
    const onInput = () => setTyped(box!.value)
    box?.addEventListener('input', onInput)
    return () => box?.removeEventListener('input', onInput)
  }, [input])
  return (
    <p className="hint" role="status">
      {typed && describeStrength(typed)}
    </p>
  )
}
