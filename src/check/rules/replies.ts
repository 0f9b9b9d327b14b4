import { callOf, partsOf } from '../../contract/call.ts'
import type { Contract } from '../../contract/contract.ts'
import type { ListScreen, Screen } from '../../contract/generated.ts'
import { suggest } from '../../contract/suggest.ts'
import { valueProblem } from '../../contract/valueProblem.ts'
import type { Path, Report } from '../files/report.ts'

/** Reports keys of the reply of a list that its call does not declare. */
export function checkReplyKeys(contract: Contract, screen: ListScreen, report: Report): void {
  const { source, rowsKey, more, sum, counted, chips = [] } = screen
  const declared: string[] = contract.endpoints[source]?.replyKeys ?? []
  const named: [Path, string | undefined][] = [
    [['rowsKey'], rowsKey],
    [['more'], more],
    [['sum', 'key'], sum?.key],
    [['counted', 'key'], counted?.key],
    ...chips.map(({ count }, i): [Path, string] => [['chips', i, 'count'], `chips.${count}`]),
  ]
  for (const [path, key] of named)
    if (key !== undefined && !declared.includes(key))
      report(path, `${source} has no '${key}' among its 'replyKeys'${suggest(key, declared)}`)
}

/** Reports fixed values of path parameters that no call of the screen takes. */
export function checkFixedParams(contract: Contract, screen: Screen, report: Report): void {
  if (!('fixedParams' in screen)) return
  const text = JSON.stringify(screen)
  const calls = Object.entries(contract.endpoints).filter(([name]) => text.includes(`"${name}"`))
  for (const [name, value] of Object.entries(screen.fixedParams ?? {})) {
    const taking = calls.filter(([, endpoint]) => partsOf(callOf(endpoint).path).includes(name))
    if (taking.length === 0)
      report(['fixedParams', name], `no call of this screen has '{${name}}' in its path`)
    for (const [call, { parts }] of taking) {
      const known: string[] | undefined = parts?.[name]
      if (known && !known.includes(value)) {
        report(['fixedParams', name], `${call} takes no '${value}' as '{${name}}'${suggest(value, known)}`)
        break
      }
    }
  }
}

/** Reports a kind of draft that no draft has. */
export function checkDraft({ entities }: Contract, screen: Screen, report: Report): void {
  const kind = entities.draft?.properties.kind
  const problem = 'draft' in screen && screen.draft && kind && valueProblem('kind', kind, screen.draft)
  if (problem) report(['draft'], problem)
}
