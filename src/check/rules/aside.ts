import type { Contract } from '../../contract/contract.ts'
import type { DetailScreen } from '../../contract/generated.ts'
import type { Path, Report } from '../files/report.ts'
import { checkAction, checkActions } from './actions.ts'
import { checkCall } from './calls.ts'
import { checkColumns } from './cells.ts'
import { checkFilters } from './defaults.ts'
import { checkField, type Shape, shapeOfCall } from './fields.ts'
import { ANYTHING } from './paths.ts'
import { checkSections } from './sections.ts'
import { checkWith } from './withs.ts'

/** Reports unknown names in the cards below the facts of a record. */
export function checkCards(
  contract: Contract,
  { cards, roles = 'staff' }: DetailScreen,
  params: string[],
  report: Report,
): void {
  if (!cards) return
  const at = (...path: Path) => ['cards', ...path]
  checkCall(
    contract,
    cards.list,
    { kind: 'list', filling: { params }, roles, isPaged: true },
    at('list'),
    report,
  )
  const row = shapeOfCall(contract, cards.list)
  checkFilters(contract, cards.list, cards.query, at('query'), report)
  checkColumns(contract, cards.columns, { params, record: row }, at('columns'), report)
  checkField(row, cards.tag.field, at('tag', 'field'), report)
  checkActions(contract, cards.actions, { params, record: row }, at('actions'), report)
  if (!cards.summary) return
  const { read, tag, good, line } = cards.summary
  checkCall(contract, read, { kind: 'read', filling: { params }, roles }, at('summary', 'read'), report)
  const summary = shapeOfCall(contract, read)
  for (const [key, field] of Object.entries({ tag, good, line }))
    if (field) checkField(summary, field, at('summary', key), report)
}

/** Reports unknown names in the cards beside a record, and in the counts of its tabs. */
export function checkAside(
  contract: Contract,
  { aside, counts = {}, tabs, roles = 'staff' }: DetailScreen,
  record: Shape | undefined,
  params: string[],
  report: Report,
): void {
  const isTab = (name: string) => tabs.includes(name)
  for (const [tab, field] of Object.entries(counts)) {
    if (!isTab(tab)) report(['counts', tab], `'${tab}' is not one of its tabs`)
    checkField(record, field, ['counts', tab], report)
  }
  for (const [i, card] of (aside ?? []).entries()) {
    const at = ['aside', i]
    const reportCard: Report = (path, message) => report([...at, ...path], message)
    const roots = { record: record ?? ANYTHING }
    const withs = checkWith(contract, card.with, roots, roles, reportCard, card)
    checkColumns(contract, card.fields ?? [], { params, record }, [...at, 'fields'], report)
    checkActions(contract, card.actions, { params, record }, [...at, 'actions'], report)
    checkSections(contract, card.people ?? [], record, { ...roots, with: withs }, [...at, 'people'], report)
    checkCall(
      contract,
      card.list,
      { kind: 'list', filling: { params }, roles, isPaged: true },
      [...at, 'list'],
      report,
    )
    const row = shapeOfCall(contract, card.list)
    checkFilters(contract, card.list, card.query, [...at, 'query'], report)
    checkColumns(contract, card.columns ?? [], { params, record: row }, [...at, 'columns'], report)
    checkActions(contract, card.rowActions, { params, record: row }, [...at, 'rowActions'], report)
    if (card.empty) checkAction(contract, card.empty, { params, record }, [...at, 'empty'], report)
    if (card.screen && !isTab(card.screen))
      report([...at, 'screen'], `'${card.screen}' is not one of its tabs`)
  }
}
