import { useId } from 'react'
import type { CompareScreen, CompareSection } from '../../../contract/generated.ts'
import { isPlainObject, type Values } from '../../../contract/when.ts'
import { fillTemplate } from '../../core/fillTemplate.ts'

/** The effects of the call, in sections beside the rows. */
export function CompareSections({ sections, record }: Pick<CompareScreen, 'sections'> & { record: Values }) {
  return (
    <div className="compare-aside">
      {sections.map((section) => (
        <Section key={section.title} section={section} record={record} />
      ))}
    </div>
  )
}

function Section({ section: { title, field, text }, record }: { section: CompareSection; record: Values }) {
  const heading = useId()
  const items = field ? ((record[field] ?? []) as unknown[]) : []
  return (
    <section className="aside-card" aria-labelledby={heading}>
      <h2 id={heading}>{fillTemplate(title, record)}</h2>
      {items.length === 0 ? (
        <p>{text}</p>
      ) : (
        <ul>
          {items.map((item) => (
            <li key={isPlainObject(item) ? String(item.id) : String(item)}>
              {isPlainObject(item) ? <Item item={item} /> : String(item)}
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

function Item({ item: { label, name, words } }: { item: Values }) {
  if (label !== undefined) return String(label)
  return (
    <>
      <b>{String(name)}</b>
      {words ? `, ${words}` : ''}
    </>
  )
}
