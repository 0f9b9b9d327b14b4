import type { Entity, Existing } from '../../../contract/generated.ts'
import type { Values } from '../../../contract/when.ts'
import { formatDate } from '../../core/dates.ts'
import { describeFound, listedDetails } from './describeFound.ts'
import { dayDifferences, differences, type Piece } from './differences.ts'

/** What was searched for, or entered into a new record. */
export interface Typed {
  /** Words of the name; a word that is in another detail of a found record is no part of its name. */
  words: string[]
  /** YYYY-MM-DD. */
  born?: string
}

interface Props {
  entity: Entity
  existing: Existing
  item: Values
  typed: Typed
}

/** The name of a found record, in which the letters that differ from what was typed are underlined. */
export function FoundName({ entity, existing, item, typed: { words } }: Props) {
  const { name, details } = describeFound(entity, existing, item)
  const others = details.toLowerCase()
  const own = words.filter((word) => !others.includes(word.toLowerCase()))
  return <Pieces pieces={differences(name, own)} />
}

/** Its details, with what differs in a date of birth. */
export function FoundDetails({ entity, existing, item, typed: { born } }: Props) {
  return listedDetails(entity, existing, item).flatMap(({ key, title, text }, i) => {
    const day = entity.properties[key]?.format === 'date' && formatDate(String(item[key]))
    const isOther = born && day && item[key] !== born && text.startsWith(day)
    const words = `${i > 0 ? ' · ' : ''}${title} `
    if (!isOther) return [words + text]
    const pieces = dayDifferences(day, formatDate(born))
    return [words, <Pieces key={key} pieces={pieces} />, text.slice(day.length)]
  })
}

function Pieces({ pieces }: { pieces: Piece[] }) {
  let at = 0
  return pieces.map(({ text, differs }) => {
    at += text.length
    return differs ? (
      <span key={at} className="differs">
        {text}
      </span>
    ) : (
      text
    )
  })
}
