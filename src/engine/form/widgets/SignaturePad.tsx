import { Button, Classes } from '@blueprintjs/core'
import { type PointerEvent, useEffect, useRef, useState } from 'react'
import { isSet } from '../../../contract/when.ts'
import { makeCall } from '../../core/calls.ts'
import { useContract } from '../../core/contract.ts'
import { fieldErrors } from '../../core/fieldErrors.ts'
import { formOf } from '../store/formContext.ts'
import StoredPicture from './StoredPicture.tsx'
import {
  describedBy,
  type FieldWidgetProps,
  fieldOf,
  useGroupBlur,
  useLatestOnChange,
} from './widgetProps.ts'

/** Size of the picture in pixels: as sharp on paper as on the screen. */
const SIZE = { width: 960, height: 320 }
const MARGIN = 40

const NOTHING = 'Draw the signature or type the name first'
const FAILED = 'The signature could not be stored. Try again.'

/**
 * A canvas to sign on with a finger, a pen or the mouse, or by typing the name; the value is the id of the stored
 * picture.
 */
export default function SignaturePad(props: FieldWidgetProps) {
  const { value } = props
  const onChange = useLatestOnChange(props)
  const { endpoints } = useContract()
  const field = fieldOf(props.options)!
  const again = useRef<HTMLButtonElement>(null)
  const hasJustSigned = useRef(false)
  const onFieldBlur = useGroupBlur(props)
  // Moves the focus, because the focused button was removed with the canvas.
  useEffect(() => {
    if (hasJustSigned.current) again.current?.focus()
    hasJustSigned.current = false
  })
  // The preview of all widgets has no server.
  if (!isSet(value) && !endpoints['files.upload']) return <p>Signatures cannot be stored here yet</p>
  if (!isSet(value)) {
    const store = (id: number) => {
      hasJustSigned.current = true
      onChange(id)
    }
    return <Sheet props={props} onStored={store} />
  }
  return (
    <>
      <StoredPicture id={Number(value)} label={field.label} />
      <div className="signature-buttons">
        <Button
          ref={again}
          size="small"
          text="Sign again"
          aria-label={`Sign again: ${field.label}`}
          onClick={() => onChange(undefined)}
          onBlur={onFieldBlur}
        />
      </div>
    </>
  )
}

function Sheet({ props, onStored }: { props: FieldWidgetProps; onStored: (id: number) => void }) {
  const { id, rawErrors, registry } = props
  const { store, pathOf } = formOf(registry)
  const field = fieldOf(props.options)!
  const contract = useContract()
  const sheet = useRef<HTMLCanvasElement>(null)
  const [typed, setTyped] = useState('')
  const [hasInk, setHasInk] = useState(false)
  const [isSending, setSending] = useState(false)
  const [status, setStatus] = useState('')
  const onFieldBlur = useGroupBlur(props)
  useEffect(() => erase(sheet.current!), [])
  useEffect(() => {
    store.setUnfinished(pathOf(id), hasInk ? `Use the signature of ${field.label}, or clear it` : undefined)
    return () => store.setUnfinished(pathOf(id), undefined)
  }, [store, pathOf, id, hasInk, field.label])

  const clear = () => {
    erase(sheet.current!)
    setTyped('')
    setHasInk(false)
    setStatus('')
  }
  const type = (name: string) => {
    writeName(sheet.current!, name.trim())
    setTyped(name)
    setHasInk(name.trim() !== '')
  }
  const press = (event: PointerEvent<HTMLCanvasElement>) => {
    if (!event.isPrimary || event.button !== 0) return
    if (typed) clear()
    event.currentTarget.setPointerCapture(event.pointerId)
    beginLine(event)
    setHasInk(true)
  }
  const use = async () => {
    if (!hasInk) return setStatus(NOTHING)
    setSending(true)
    setStatus('Storing the signature…')
    try {
      const body = new FormData()
      body.append('file', await pictureOf(sheet.current!), 'signature.png')
      const reply = await makeCall<{ id: number }>(contract, 'files.upload', { body })
      onStored(reply.id)
    } catch (error) {
      setSending(false)
      setStatus(fieldErrors(error)?.file?.[0] ?? FAILED)
    }
  }
  return (
    <>
      <canvas
        ref={sheet}
        {...SIZE}
        className="signature-sheet"
        role="img"
        aria-label="Area to sign in with a finger, a pen or the mouse"
        onPointerDown={press}
        onPointerMove={(event) => event.currentTarget.hasPointerCapture(event.pointerId) && drawLine(event)}
      />
      <label className="signature-typed" htmlFor={`${id}-typed`}>
        Or type the name to sign with
      </label>
      <input
        id={`${id}-typed`}
        className={Classes.INPUT}
        autoComplete="off"
        maxLength={100}
        aria-describedby={describedBy(id, field, Boolean(rawErrors?.length))}
        value={typed}
        onChange={(event) => type(event.target.value)}
        onBlur={onFieldBlur}
      />
      <div className="signature-buttons">
        <Button
          text="Use this signature"
          aria-label={`Use this signature: ${field.label}`}
          intent={hasInk ? 'primary' : 'none'}
          loading={isSending}
          onClick={use}
          onBlur={onFieldBlur}
        />
        <Button
          variant="minimal"
          text="Clear"
          aria-label={`Clear ${field.label}`}
          onClick={clear}
          onBlur={onFieldBlur}
        />
      </div>
      <p aria-live="polite">{status || (hasInk ? 'Not stored yet: use this signature or clear it' : '')}</p>
    </>
  )
}

function erase(sheet: HTMLCanvasElement) {
  const context = sheet.getContext('2d')!
  context.fillStyle = 'white'
  context.fillRect(0, 0, SIZE.width, SIZE.height)
}

function writeName(sheet: HTMLCanvasElement, name: string) {
  erase(sheet)
  const context = sheet.getContext('2d')!
  context.fillStyle = 'black'
  context.font = 'italic 110px cursive, serif'
  context.textBaseline = 'middle'
  context.fillText(name, MARGIN, SIZE.height / 2, SIZE.width - 2 * MARGIN)
}

function beginLine(event: PointerEvent<HTMLCanvasElement>) {
  const context = event.currentTarget.getContext('2d')!
  context.lineWidth = 5
  context.lineCap = 'round'
  context.lineJoin = 'round'
  context.strokeStyle = 'black'
  context.beginPath()
  context.moveTo(...pointOf(event))
  // Draws a dot if the pointer does not move.
  drawLine(event)
}

function drawLine(event: PointerEvent<HTMLCanvasElement>) {
  const context = event.currentTarget.getContext('2d')!
  context.lineTo(...pointOf(event))
  context.stroke()
}

/** Pointer position in pixels of the picture, whatever the size of the canvas on the page. */
function pointOf({ currentTarget, clientX, clientY }: PointerEvent<HTMLCanvasElement>): [number, number] {
  const { left, top, width, height } = currentTarget.getBoundingClientRect()
  return [((clientX - left) / width) * SIZE.width, ((clientY - top) / height) * SIZE.height]
}

function pictureOf(sheet: HTMLCanvasElement): Promise<Blob> {
  return new Promise((resolve, reject) =>
    sheet.toBlob(
      (blob) => (blob ? resolve(blob) : reject(new Error('The sheet has no picture'))),
      'image/png',
    ),
  )
}
