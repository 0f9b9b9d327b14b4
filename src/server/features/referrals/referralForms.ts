import { publicGroups } from '../../../contract/meta/publicFields.ts'
import { STATUS } from '../../../contract/status.ts'
import type { ReferralForm } from '../../../contract/types/entities.ts'
import type { FieldErrors } from '../../../contract/validateAnswers.ts'
import { publicAddress } from '../../access/mail.ts'
import type { Call, Handler } from '../../core/call.ts'
import { refuse } from '../../core/problems.ts'
import { create as createRecord } from '../../records/verbs/create.ts'
import { list as listRecords } from '../../records/verbs/list.ts'
import { lockRow } from '../../records/verbs/lockRow.ts'
import { fetch, read as readRecord } from '../../records/verbs/read.ts'
import { update as updateRecord } from '../../records/verbs/update.ts'
import { usableCaseTypes } from './publicForm.ts'

/** The public forms, with the full addresses that people can pass on. */
export const list: Handler = async (call) => {
  const page = await listRecords(call, call.contract.entities.referralForm)
  return { ...page, data: page.data.map((form) => withAddress(call, form)) }
}

export const read: Handler = async (call) =>
  withAddress(call, await readRecord(call, call.contract.entities.referralForm))

export const create: Handler = async (call) => {
  const form = await createRecord(call, call.contract.entities.referralForm)
  await refuseUnusable(call, form)
  return withAddress(call, form)
}

export const update: Handler = async (call) => {
  const { referralForm } = call.contract.entities
  await lockRow(call, referralForm)
  await fetch(call, referralForm, call.params.id)
  const form = await updateRecord(call, referralForm)
  await refuseUnusable(call, form)
  return withAddress(call, form)
}

function withAddress(call: Call, form: ReferralForm): ReferralForm {
  return { ...form, address: publicAddress(call) + form.address }
}

/** Refuses two routes of one council area, and an active form whose case types cannot be used or ask nothing. */
async function refuseUnusable({ db, contract }: Call, form: ReferralForm): Promise<void> {
  const { routes } = form
  const errors: FieldErrors = {}
  const areas = routes.map(({ council_area }) => council_area)
  for (const [i, route] of routes.entries()) {
    if (areas.indexOf(route.council_area) < i)
      errors[`routes.${i}.council_area`] = ['This council area is in the list already']
    if (!route.hub) errors[`routes.${i}.hub`] = ['Choose hub']
  }
  refuse(errors)
  if (form.status !== STATUS.active) return
  const used = [
    { at: 'case_type', id: form.case_type },
    ...routes.flatMap(({ case_type }, i) =>
      case_type ? { at: `routes.${i}.case_type`, id: case_type } : [],
    ),
  ]
  const usable = await usableCaseTypes(
    db,
    form.service,
    used.map(({ id }) => id),
  )
  for (const { at, id } of used) {
    const caseType = usable.find((one) => one.id === id)
    if (!caseType) errors[at] = ['Choose a case type of this service that is in use']
    else if (publicGroups(caseType.groups, { lookups: contract.lookups }).length === 0)
      errors[at] = [
        'It asks nothing yet: tick “Ask in the public referral form” at its fields in the Module Constructor, and publish it',
      ]
  }
  refuse(errors)
}
