import type { Group } from '../generated.ts'
import { quoted } from '../quoted.ts'
import type { Report } from './metaTypes.ts'

/** Checks that groups under another one follow it, and that none of these stands under a third. */
export function checkSubgroups(groups: Group[], report: Report): void {
  for (const [g, { name, label, attrs }] of groups.entries()) {
    if (attrs?.under === undefined) continue
    const path = [g, 'attrs', 'under']
    const own = quoted(label, name)
    const parent = groups.findIndex((group) => group.name === attrs.under)
    if (parent < 0 || attrs.under === name) {
      report(path, `${own} stands under '${attrs.under}', but there is no such group; choose another`)
      continue
    }
    const words = quoted(groups[parent].label, attrs.under)
    if (groups[parent].attrs?.under !== undefined)
      report(path, `${own} stands under ${words}, which itself stands under a group; choose another`)
    else if (!groups.slice(parent + 1, g).every((group) => group.attrs?.under === attrs.under) || parent > g)
      report(path, `${own} stands under ${words}, so it must come right after it; move it`)
  }
}
