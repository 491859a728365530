import { useLocation, useNavigate } from '@tanstack/react-router'

/** The open tab is the fragment of the address, so that it can be linked to. Without one, it is the first tab. */
export function useTab<Tab extends string>(tabs: readonly [Tab, ...Tab[]]): [Tab, (tab: Tab) => void] {
  const { hash } = useLocation()
  const navigate = useNavigate()
  const [first] = tabs
  const tab = tabs.find((one) => one === hash) ?? first
  const show = (chosen: Tab) =>
    navigate({
      to: '.',
      hash: chosen === first ? '' : chosen,
      state: true,
      replace: true,
      resetScroll: false,
      hashScrollIntoView: false,
    })
  return [tab, show]
}
