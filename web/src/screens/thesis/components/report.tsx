import { Typography } from '@mantine/core'
import { type ComponentProps, memo, type ReactNode, useMemo } from 'react'
import Markdown, { type Components, type Options } from 'react-markdown'
import remarkGfm from 'remark-gfm'
import { strings } from '#strings/theses.ts'
import { remarkReport } from '../remark-report.ts'
import classes from './report.module.css'

interface ReportProps {
  markdown: string
  /** The title of the thesis, which the report need not repeat. */
  title: string
}

const isOutside = (address: string): boolean => /^https?:\/\//i.test(address)

/** Allows web addresses and anchors within the report only. */
const address = (url: string): string => (isOutside(url) || url.startsWith('#') ? url : '')

function Link({ href, children, id }: ComponentProps<'a'>) {
  if (!href) return <>{children}</>
  const outside = isOutside(href) && { target: '_blank', rel: 'noopener noreferrer' }
  return (
    <a href={href} id={id} {...outside}>
      {children}
    </a>
  )
}

/** One level lower, because the title of the screen is level 1. */
const COMPONENTS: Components = {
  h1: ({ node: _node, ...props }) => <h2 {...props} />,
  h2: ({ node: _node, ...props }) => <h3 {...props} />,
  h3: ({ node: _node, ...props }) => <h4 {...props} />,
  h4: ({ node: _node, ...props }) => <h5 {...props} />,
  h5: ({ node: _node, ...props }) => <h6 {...props} />,
  a: ({ node: _node, ...props }) => <Link {...props} />,
  input: ({ checked, type }) => (
    <input type={type} checked={checked} disabled aria-label={checked ? strings.done : strings.notDone} />
  ),
  pre: ({ node: _node, ...props }) => (
    <Scrollable label={strings.codeBlock}>
      <pre {...props} />
    </Scrollable>
  ),
  table: ({ node: _node, ...props }) => (
    <Scrollable label={strings.table}>
      <table {...props} />
    </Scrollable>
  ),
}

function Scrollable({ label, children }: { label: string; children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scroll area must be reachable by keyboard
    <section className={classes.scrolling} tabIndex={0} aria-label={label}>
      {children}
    </section>
  )
}

/** A Markdown report. Raw HTML is shown as text. */
export const Report = memo(function Report({ markdown, title }: ReportProps) {
  const plugins = useMemo<Options['remarkPlugins']>(
    () => [remarkGfm, [remarkReport, { title, imageText: strings.image }]],
    [title],
  )
  return (
    <Typography className={classes.report}>
      <Markdown remarkPlugins={plugins} components={COMPONENTS} urlTransform={address}>
        {markdown}
      </Markdown>
    </Typography>
  )
})
