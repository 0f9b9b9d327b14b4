import type { Contract } from '../../contract/contract.ts'
import type { ListScreen } from '../../contract/generated.ts'
import { suggest } from '../../contract/suggest.ts'
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
