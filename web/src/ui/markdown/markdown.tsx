import { Box, Typography } from '@mantine/core'
import { type ComponentProps, memo, type ReactNode, useMemo } from 'react'
import ReactMarkdown, { type Components, type Options } from 'react-markdown'
import remarkGfm from 'remark-gfm'
import { strings } from '#strings/markdown.ts'
import classes from './markdown.module.css'
import { remarkDocument } from './remark-document.ts'

interface MarkdownProps {
  markdown: string
  /** A first heading with this text is left out, because the page shows it already. */
  title?: string
  /** The level of the highest heading. */
  level?: number
  /** Whether headings get anchors, and links to them work. Only for the one document of a page. */
  hasAnchors?: boolean
  /** Texts such as `@Ada Beck` that are shown as mentions. */
  mentions?: readonly string[]
}

const isOutside = (address: string): boolean => /^https?:\/\//i.test(address)
const isMail = (address: string): boolean => /^mailto:/i.test(address)

/** Allows web and email addresses only, and anchors within the document. */
const addressWith =
  (hasAnchors: boolean) =>
  (url: string): string =>
    isOutside(url) || isMail(url) || (hasAnchors && url.startsWith('#')) ? url : ''

function Link({ href, children, id }: ComponentProps<'a'>) {
  if (!href) return <>{children}</>
  const outside = !href.startsWith('#') && { target: '_blank', rel: 'noopener noreferrer' }
  return (
    <a href={href} id={id} {...outside}>
      {children}
    </a>
  )
}

const COMPONENTS: Components = {
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

/** The elements of headings from a level on: the headings of the page are above those of the document. */
const headingsFrom = (level: number): Components =>
  Object.fromEntries([1, 2, 3, 4, 5].map((depth) => [`h${depth}`, `h${Math.min(6, depth + level - 1)}`]))

interface Element {
  properties?: Record<string, unknown>
  children?: Element[]
}

/** A rehype plugin: several documents on one page would have the same ids. */
const withoutIds = () => (tree: unknown) => {
  const visit = ({ properties, children }: Element): void => {
    if (properties) for (const name of ['id', 'ariaDescribedBy']) delete properties[name]
    for (const child of children ?? []) visit(child)
  }
  visit(tree as Element)
}

function Scrollable({ label, children }: { label: string; children: ReactNode }) {
  return (
    // A scroll area must be reachable by keyboard. Documents on one page have several with the same label.
    <Box role="group" className={classes.scrolling} tabIndex={0} aria-label={label}>
      {children}
    </Box>
  )
}

const NONE: readonly string[] = []

/** Markdown as it is read. Raw HTML is shown as text, and images as links. */
const Markdown = memo(function Markdown({
  markdown,
  title,
  level = 2,
  hasAnchors = false,
  mentions = NONE,
}: MarkdownProps) {
  const plugins = useMemo<Options['remarkPlugins']>(
    () => [remarkGfm, [remarkDocument, { title, hasAnchors, mentions, imageText: strings.image }]],
    [title, hasAnchors, mentions],
  )
  const components = useMemo(() => ({ ...COMPONENTS, ...headingsFrom(level) }), [level])
  return (
    <Typography className={classes.document} data-compact={!hasAnchors || undefined}>
      <ReactMarkdown
        remarkPlugins={plugins}
        rehypePlugins={hasAnchors ? [] : [withoutIds]}
        components={components}
        urlTransform={addressWith(hasAnchors)}
      >
        {markdown}
      </ReactMarkdown>
    </Typography>
  )
})
export default Markdown
