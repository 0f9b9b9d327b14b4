import fs from 'node:fs'
import type { Field, FieldAttrs, FieldType, Group } from '../../src/contract/generated.ts'
import type { Metas } from '../../src/contract/meta/metaTypes.ts'
import type { When } from '../../src/contract/when.ts'

/** Builders of metas; the label of an item is its capitalised name. */
export function field(name: string, type: FieldType = 'text', attrs: FieldAttrs = {}): Field {
  return { name, label: capital(name), type, attrs }
}
export function yesno(name: string, attrs: FieldAttrs = {}): Field {
  return field(name, 'yesno', attrs)
}
/** A choice field; labels are the capitalised values, and values with a leading '-' are retired. */
export function choice(
  name: string,
  values: (string | number)[],
  attrs: FieldAttrs = {},
  type: FieldType = 'select',
): Field {
  const options = values.map((one) => {
    const value = typeof one === 'string' ? one.replace('-', '') : one
    return { value, label: capital(String(value)), ...(one !== value && { active: false }) }
  })
  return field(name, type, { options, ...attrs })
}
export function repeat(name: string, columns: Field[], attrs: FieldAttrs = {}): Field {
  return { ...field(name, 'repeat', attrs), fields: columns }
}
export function visibleWhen(name: string, when: When, attrs: FieldAttrs = {}): Field {
  return field(name, 'text', { when, ...attrs })
}
export function group(name: string, fields: Field[], attrs?: Group['attrs']): Group {
  return { name, label: capital(name), fields, ...(attrs && { attrs }) }
}
export function caseMeta(...groups: Group[]): Metas {
  return { case_meta: groups, issue_meta: [] }
}

/** The published case types of the demo. */
export function demoMetas(): Metas[] {
  return JSON.parse(fs.readFileSync('src/server/ops/demo/case-types.json', 'utf8'))
}

/** Malformed and hostile forms, none of which may break code that reads a meta. */
export function hostileMetas(): Metas[] {
  const long = 'x'.repeat(10_000)
  const markup = '<script>alert(1)</script><img src=x onerror=alert(1)>'
  const proto = JSON.parse('{"__proto__": "yes", "constructor": {"set": true}, "toString.x": 1}') as When
  const names = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'valueOf']
  return [
    caseMeta(
      group('g', [
        { ...yesno('a'), label: long },
        visibleWhen('b', { a: 'yes' }),
        visibleWhen('c', { b: long }),
      ]),
    ),
    caseMeta(group('g', [{ ...yesno('a'), label: markup }, visibleWhen('b', { a: markup })])),
    caseMeta(
      ...names.map((name) =>
        group(name, [field(name), visibleWhen(`${name}2`, proto), repeat('r', [field(name)])]),
      ),
    ),
    caseMeta(
      group('g', [visibleWhen('a', { b: 'x' }), visibleWhen('b', { c: 'x' }), visibleWhen('c', { a: 'x' })]),
    ),
    caseMeta(group('g', [visibleWhen('a', { a: { set: false } })], { when: { a: 'x' } })),
    caseMeta(group('g', [field('a'), field('a'), yesno('a')]), group('g', [visibleWhen('a', { a: 'yes' })])),
    caseMeta(
      group('g', [field('a', 'text', { when: {}, required_when: { any: [] } })], { when: { '': '' } }),
    ),
    caseMeta(group('', [{ name: '', label: '', type: 'select' }]), { name: 'x', label: ' ', fields: [] }),
    caseMeta(
      group('g', [choice('a', ['x']), visibleWhen('b', { a: ['x', 1, null, true], 'a.b.c': { min: 3 } })]),
    ),
  ]
}

function capital(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1)
}
