import { Stack, Tabs } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { strings } from '#strings/general.ts'
import { usePrinting } from '#web/browser/printing.ts'
import classes from './record-layout.module.css'

/** The tab with what is beside the other tabs in a wide window. */
export const ABOUT = 'about'

interface RecordLayoutProps<Tab extends string> {
  /** The name of the list of tabs. */
  label: string
  /** Only the open one is mounted and loads its data. */
  tabs: readonly [RecordTab<Tab>, ...RecordTab<Tab>[]]
  tab: Tab | typeof ABOUT
  show: (tab: Tab | typeof ABOUT) => void
  /** The properties of the record, and what belongs to it. */
  rail: ReactNode
  /** What is printed in place of the open tab. */
  printed?: ReactNode
  /** Also printed: parts that are mounted before, because nothing can be loaded once the browser prints. */
  children?: ReactNode
}

interface RecordTab<Tab extends string> {
  value: Tab
  label: string
  content: ReactNode
}

/** The page of a record below its header: tabs, and beside them its properties. In a narrow window, these are a tab. */
export function RecordLayout<Tab extends string>(props: RecordLayoutProps<Tab>) {
  const { label, tabs, tab, show, rail, printed, children } = props
  const isWide = useMediaQuery('(min-width: 75em)', true, { getInitialValueInEffect: false })
  const isPrinting = usePrinting()
  const [first, ...others] = tabs
  const about = { value: ABOUT, label: strings.about, content: null } as const
  const all: RecordTab<Tab | typeof ABOUT>[] = isWide ? [first, ...others] : [first, about, ...others]
  const open = all.find(({ value }) => value === tab) ?? first
  const aside = useRef<HTMLDivElement>(null)
  const [isHeld, setHeld] = useState(false)
  // A field that is being edited stays in view when the window becomes narrow.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when the width changes
  useLayoutEffect(() => {
    if (isWide || !aside.current?.contains(document.activeElement)) return
    setHeld(true)
    show(ABOUT)
  }, [isWide])
  useEffect(() => {
    if (open.value === ABOUT) setHeld(false)
  }, [open.value])
  const isShown = isWide || isPrinting || isHeld || open.value === ABOUT
  return (
    <div className={`${classes.columns} print-single-column`}>
      <Tabs
        className={`${classes.main} print-hidden`}
        value={open.value}
        onChange={(value) => show(all.find((one) => one.value === value)?.value ?? first.value)}
        keepMounted={false}
      >
        <Tabs.List aria-label={label} mb="md" className={classes.tabs}>
          {all.map((one) => (
            <Tabs.Tab key={one.value} value={one.value}>
              {one.label}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value={open.value}>{open.content}</Tabs.Panel>
      </Tabs>
      <Stack
        ref={aside}
        gap="md"
        component="aside"
        aria-label={strings.about}
        display={isShown ? undefined : 'none'}
      >
        {rail}
      </Stack>
      {isPrinting && printed}
      {children}
    </div>
  )
}
