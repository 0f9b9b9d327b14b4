import { useContext, useMemo } from 'react'
import { Link, useSearchParams } from 'react-router-dom'
import { allows } from '../../../contract/access.ts'
import type { SearchScreen } from '../../../contract/generated.ts'
import { useContract } from '../../core/contract.ts'
import { Heading } from '../../core/Heading.tsx'
import { PageContext } from '../../core/pageContext.ts'
import { ScreenContext } from '../../core/screenContext.ts'
import { useUser } from '../../core/user.ts'

/** Several lists on one page. The URL has the number of the visible one, besides that list's own filters and page. */
export default function Search({ screen: { param, title, tabs } }: { screen: SearchScreen }) {
  const { roles, screens } = useContract()
  const { groups } = useUser()
  const [search] = useSearchParams()
  const Screen = useContext(ScreenContext)
  const { titles } = useContext(PageContext)
  const place = useMemo(() => ({ titles: [title, ...titles], inside: true, below: false }), [title, titles])
  const open = tabs.filter((name) => allows(roles, screens[name].roles, groups))
  const named = tabs[Number(search.get(param)) - 1]
  const current = open.includes(named) ? named : open[0]
  return (
    <>
      <Heading>{title}</Heading>
      <nav className="detail-tabs" aria-label={title}>
        {open.map((name) => (
          <Link
            key={name}
            to={`?${param}=${tabs.indexOf(name) + 1}`}
            aria-current={name === current ? 'page' : undefined}
          >
            {screens[name].title}
          </Link>
        ))}
      </nav>
      <PageContext value={place}>
        <Screen key={current} name={current} />
      </PageContext>
    </>
  )
}
