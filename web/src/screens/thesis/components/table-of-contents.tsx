import { Anchor, Title } from '@mantine/core'
import { type RefObject, useEffect, useId, useState } from 'react'
import { strings } from '#strings/theses.ts'
import classes from './thesis-reader.module.css'

interface Heading {
  id: string
  text: string
  level: number
}

const HEADINGS = ':is(h2, h3, h4)[id]'

/** The headings of a report as links, on wide screens. */
export function TableOfContents({ article }: { article: RefObject<HTMLElement | null> }) {
  const headings = useHeadings(article)
  const id = useId()
  const top = Math.min(...headings.map(({ level }) => level))
  if (headings.length < 2) return null
  return (
    <nav className={classes.contents} aria-labelledby={id}>
      <Title order={2} size="h6" mb={6} id={id}>
        {strings.contents}
      </Title>
      <ol>
        {headings.map((heading) => (
          <li key={heading.id} style={{ paddingInlineStart: `${(heading.level - top) * 0.875}rem` }}>
            <Anchor href={`#${heading.id}`} size="sm" c="dimmed" lineClamp={2} py={3} dir="auto">
              {heading.text}
            </Anchor>
          </li>
        ))}
      </ol>
    </nav>
  )
}

/** Read from the page, because the report is rendered later by a lazy component. */
function useHeadings(article: RefObject<HTMLElement | null>): Heading[] {
  const [headings, setHeadings] = useState<Heading[]>([])
  useEffect(() => {
    if (!article.current) return
    const read = () => {
      const found = [...(article.current?.querySelectorAll(HEADINGS) ?? [])]
      setHeadings(
        found.map(({ id, textContent, tagName }) => ({
          id,
          text: textContent ?? '',
          level: Number(tagName[1]),
        })),
      )
      return found
    }
    const goToAddress = (found: Element[]) =>
      found.find(({ id }) => id === decodeURIComponent(location.hash.slice(1)))?.scrollIntoView()
    if (read().length > 0) return
    const observer = new MutationObserver(() => {
      const found = read()
      if (found.length === 0) return
      observer.disconnect()
      goToAddress(found)
    })
    observer.observe(article.current, { childList: true, subtree: true })
    return () => observer.disconnect()
  }, [article])
  return headings
}
