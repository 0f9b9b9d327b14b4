import { Button, DialogBody, DialogFooter } from '@blueprintjs/core'
import { createContext, type ReactNode, useContext, useId, useMemo, useRef, useState } from 'react'
import type { SaveEffects } from '../../contract/generated.ts'
import type { Values } from '../../contract/when.ts'
import { useSend } from '../core/calls.ts'
import { Dialog } from '../core/Dialog.tsx'

/** Something that saving would do to other records. */
interface Effect {
  id: string
  label: string
}

interface Question {
  /** True if a record may be saved with this body; rejects if the effects cannot be read. */
  ask: (body: Values) => Promise<boolean>
  isAsking: boolean
}

const NOTHING_TO_ASK: Question = { ask: async () => true, isAsking: false }
const QuestionContext = createContext(NOTHING_TO_ASK)

/** The question that a form asks before it saves; without effects it asks nothing. */
export function useEffectsQuestion(): Question {
  return useContext(QuestionContext)
}

interface Props {
  effects: SaveEffects | undefined
  params: Values
  /** The form. */
  children: ReactNode
}

/** Lets the form within ask before it saves, if its screen has effects. */
export function EffectsQuestion({ effects, params, children }: Props) {
  return effects ? <Asking {...{ effects, params }}>{children}</Asking> : children
}

function Asking({ effects, params, children }: Props & { effects: SaveEffects }) {
  const { mutateAsync, isPending } = useSend<Effect[]>(effects.call)
  const [shown, setShown] = useState<Effect[]>()
  const [isOpen, setOpen] = useState(false)
  const answer = useRef<(isYes: boolean) => void>(undefined)
  const text = useId()
  const back = useRef<HTMLButtonElement>(null)
  const question = useMemo(() => {
    const ask = async (body: Values) => {
      const found = await mutateAsync({ params, body })
      if (found.length === 0) return true
      setShown(found)
      setOpen(true)
      return new Promise<boolean>((resolve) => {
        answer.current = resolve
      })
    }
    return { ask, isAsking: isPending }
  }, [mutateAsync, isPending, params])
  const close = (isYes: boolean) => {
    setOpen(false)
    answer.current?.(isYes)
  }
  return (
    <QuestionContext value={question}>
      {children}
      <Dialog
        isOpen={isOpen}
        className="dialog"
        role="alertdialog"
        title="Save this?"
        aria-describedby={text}
        isCloseButtonShown={false}
        canOutsideClickClose={false}
        onClose={() => close(false)}
        onOpened={() => back.current?.focus()}
      >
        <DialogBody>
          <p id={text}>{effects.label}:</p>
          <ul>
            {shown?.map(({ id, label }) => (
              <li key={id}>{label}</li>
            ))}
          </ul>
        </DialogBody>
        <DialogFooter
          actions={
            <>
              <Button ref={back} text="Back to the form" onClick={() => close(false)} />
              {/* Ignores the second click of a double click on the form's own button. */}
              <Button intent="primary" text="Save" onClick={({ detail }) => detail <= 1 && close(true)} />
            </>
          }
        />
      </Dialog>
    </QuestionContext>
  )
}
