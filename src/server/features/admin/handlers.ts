import { sql } from 'kysely'
import { STATUS } from '../../../contract/status.ts'
import type { Call, Handler } from '../../core/call.ts'
import { fieldProblem } from '../../core/problems.ts'
import { singlePage } from '../../core/singlePage.ts'
import { type Changes, writeAuditEvent } from '../../records/audit/audit.ts'
import { describeChangeLists, namedField } from '../../records/audit/describeChangeLists.ts'
import { type CalendarEffect, statusEffects } from '../automations/calendarImpact.ts'
import * as axes from './accessRecords.ts'
import { applySheet, previewSheet } from './importItems.ts'
import * as itemForms from './itemForms.ts'
import { lockItems, orderItems } from './items.ts'
import { idsOf, listItems } from './list.ts'
import { modelOf, modelsOf } from './models.ts'
import { modelRow, narrowModels } from './shapes.ts'
import { lookupUsage } from './usage.ts'

const APPS: Record<string, Record<'blank' | 'form' | 'add' | 'change', Handler>> = {
  core: itemForms,
  axes: { ...axes, add: axes.refuseWrite, change: axes.refuseWrite },
}

/** The lists that administrators maintain, in the shape of an app list of Django's admin. */
export const core: Handler = async ({ contract, db, query }) => {
  const { rows } = await sql<{
    kind: string
    n: number
  }>`select kind, count(*) as n from lookup group by kind`.execute(db)
  const counts = new Map(rows.map(({ kind, n }) => [kind, n]))
  const models = Object.entries(modelsOf(contract)).map(([type, model]) =>
    modelRow('core', type, model, { count: counts.get(type) ?? 0, canAdd: true }),
  )
  return { app_label: 'core', models: narrowModels(models, { order_by: 'name', ...query }) }
}

export const list: Handler = listItems

export const blank: Handler = (call) => appOf(call).blank(call)
export const form: Handler = (call) => appOf(call).form(call)
export const add: Handler = (call) => appOf(call).add(call)
export const change: Handler = (call) => appOf(call).change(call)

export const addEffects: Handler = itemForms.addEffects
export const changeEffects: Handler = itemForms.changeEffects

/**
 * A bare list of the places where an item is used, each with its count in words; of a day or calendar of bank holidays,
 * also of the open deadlines that move without it.
 */
export const usage: Handler = async (call) => {
  const { type, id } = call.params
  const { data } = await itemForms.form(call)
  const uses = await lookupUsage(call, String(type), Number(id))
  const effects = await statusEffects(call, String(type), Number(id))
  const turned = data?.status === STATUS.active ? 'without it' : 'with it'
  const inWords = ({ label, count }: CalendarEffect) =>
    count > 0 ? `Open deadlines, ${label} ${turned}` : label
  return [
    ...uses,
    ...effects.map((one) => ({ ...one, label: inWords(one), table: 'deadlines', field: 'due' })),
  ]
}

/** Audit events of an item, newest first, with their changes in words. */
export const history: Handler = async (call) => {
  await itemForms.form(call)
  return singlePage(await historyOf(call))
}

/** Sorts a list by `ids`; items that are not in `ids` follow in their present order. */
export const order: Handler = async (call) => {
  const kind = String(call.params.type)
  const model = modelOf(call.contract, kind)
  await lockItems(call)
  const before = await idsOf(call, kind)
  const ids = call.body.ids
  if (!Array.isArray(ids) || !ids.every((id) => before.includes(id)) || new Set(ids).size < ids.length)
    throw fieldProblem({ ids: ['Order must name items of this list, each once'] })
  await orderItems(call, kind, ids)
  const after = await idsOf(call, kind)
  await writeAuditEvent(call, {
    action: 'order',
    entity: model.$id,
    record: null,
    changes: { order: { from: before, to: after } },
  })
  return { ids: after }
}

export const preview: Handler = previewSheet
export const apply: Handler = applySheet

function appOf({ params }: Call) {
  return APPS[String(params.app)]
}

interface ItemEvent {
  id: number
  at: Date
  action: string
  changes: Changes | null
  person: string
}
const MAX_EVENTS = 500

/** Audit events of an item, newest first, with the present labels of its fields. */
async function historyOf(call: Call) {
  const { contract, params, db } = call
  const model = modelOf(contract, String(params.type))
  const { rows } = await sql<ItemEvent>`select a.id, a.at, a.action, a.changes,
    coalesce(nullif(trim(s.first_name || ' ' || s.last_name), ''), 'The system') as person
    from audit a left join staff s on s.id = a.staff
    where a.entity = ${model.$id} and a.record = ${params.id} order by a.id desc limit ${MAX_EVENTS}`.execute(
    db,
  )
  const changes = await describeChangeLists(
    call,
    rows.map((row) => row.changes),
    (name) => namedField(name, model.properties[name]),
  )
  return rows.map((row, i) => ({ ...row, changes: changes[i] }))
}
