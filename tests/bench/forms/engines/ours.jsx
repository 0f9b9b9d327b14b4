// The product's own engine and theme.
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { createRef } from 'react'
import { createRoot } from 'react-dom/client'
import { ContractContext } from '../../../../src/engine/core/contract.ts'
import { UserContext } from '../../../../src/engine/core/user.ts'
import { FormView } from '../../../../src/engine/form/FormView.tsx'
import { adaptById, asked, root } from '../adapter.js'
import { initialValues, makeForm } from '../form.js'
import '../../../../src/app/app.css'
import '../../../../src/app/inside.css'

const TYPES = { number: 'integer', multi: 'multiselect' }

const { size, group, calculated } = asked()
const form = makeForm(size, calculated)
const handle =
  /** @type {import('react').RefObject<import('../../../../src/engine/form/FormView.tsx').FormHandle | null>} */ (
    createRef()
  )

/** @returns {import('../../../../src/contract/generated.ts').Field} */
const fieldOf = (/** @type {any} */ { name, label, type, required, options, maxLength, min, max, when }) => ({
  name,
  label,
  type: TYPES[type] ?? type,
  attrs: {
    required,
    ...(options && { options }),
    ...(maxLength && { max_length: maxLength }),
    ...(max && { min, max }),
    ...(when && { when: { [when]: 'yes' } }),
  },
})

const fields = [
  ...form.fields.map(fieldOf),
  ...form.repeats.map(({ name, label, columns }) => ({
    name,
    label,
    type: /** @type {const} */ ('repeat'),
    fields: columns.map(fieldOf),
  })),
]
const sums = form.sums.map(({ name, label, of }) => ({
  name,
  label,
  type: /** @type {const} */ ('integer'),
  attrs: { calc: /** @type {const} */ ('sum'), of },
}))
const parts = Array.from({ length: Math.ceil(fields.length / group) }, (_, i) => ({
  name: `group${i}`,
  label: `Part ${i + 1}`,
  fields: fields.slice(i * group, (i + 1) * group),
}))
const groups = sums.length > 0 ? [...parts, { name: 'sums', label: 'Sums', fields: sums }] : parts
const sections = [{ key: 'bench', at: '', groups }]
const initial = initialValues(form)
const contract = /** @type {import('../../../../src/contract/contract.ts').Contract} */ (
  /** @type {unknown} */ ({ lookups: {}, entities: {}, endpoints: {} })
)
const user = { id: 1, username: 'bench', first_name: 'Ann', last_name: 'Ames', groups: [1], status: 1 }

createRoot(root()).render(
  <ContractContext value={contract}>
    <QueryClientProvider client={new QueryClient()}>
      <UserContext value={user}>
        <FormView ref={handle} sections={sections} initial={initial} conditionContext={{}} idPrefix="f" />
      </UserContext>
    </QueryClientProvider>
  </ContractContext>,
)

window.adapter = adaptById({
  prefix: 'f.',
  stored: (name) => handle.current?.document()[name],
  submit: () => handle.current?.submit(),
  total: () => document.getElementById('f.total')?.textContent,
  errors: '.field-error',
})
