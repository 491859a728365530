import { Anchor, Text } from '@mantine/core'
import { useElementSize } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { lazy, type ReactNode, useMemo, useState } from 'react'
import { strings } from '#strings/notes.ts'
import { queries } from '#web/api/queries.ts'
import type { Note } from '#web/api/service.ts'
import { LazyPart } from '#web/ui/lazy.tsx'
import classes from './note.module.css'
import { mentionText } from './note-text.ts'

// Its parser is large.
const Markdown = lazy(() => import('#web/ui/markdown/markdown.tsx'))

const FOLDED_HEIGHT = 220
/** A fold that hides less than a line or two is not worth a click. */
const TOLERANCE = 40

interface NoteBodyProps {
  note: Note
  /** The level of the highest heading. */
  level: number
  isWhole: boolean
  /** Whether the text is cut off. */
  isShortened?: boolean
  /** Called when the rest of a folded text is wanted. */
  onUnfold?: () => void
}

/** The text of a note. Until the parser is loaded, it is shown as it was typed. */
export function NoteBody({ note, level, isWhole, isShortened = false, onUnfold }: NoteBodyProps) {
  const { data: users } = useQuery({ ...queries.allUsers(), enabled: note.mentions.length > 0 })
  const mentions = useMemo(
    () => note.mentions.map((email) => mentionText(email, users ?? [])),
    [note.mentions, users],
  )
  const plain = (
    <Text component="div" inherit className={classes.plain} dir="auto">
      {note.body}
    </Text>
  )
  const body = (
    <LazyPart fallback={plain}>
      <Markdown markdown={note.body} level={level} mentions={mentions} />
    </LazyPart>
  )
  if (isWhole) return body
  return (
    <Folded isShortened={isShortened} onUnfold={onUnfold}>
      {body}
    </Folded>
  )
}

interface FoldedProps extends Pick<NoteBodyProps, 'isShortened' | 'onUnfold'> {
  children: ReactNode
}

/** Shows the beginning of something long, and the rest on request. */
function Folded({ children, isShortened, onUnfold }: FoldedProps) {
  const [isOpen, setOpen] = useState(false)
  const { ref, height } = useElementSize()
  const isLong = isShortened || height > FOLDED_HEIGHT + TOLERANCE
  const toggle = () => {
    if (!isOpen) onUnfold?.()
    setOpen(!isOpen)
  }
  return (
    <>
      <div style={isLong && !isOpen ? { maxHeight: FOLDED_HEIGHT, overflow: 'hidden' } : {}}>
        <div ref={ref}>{children}</div>
      </div>
      {isLong && (
        <Anchor
          component="button"
          type="button"
          size="sm"
          aria-expanded={isOpen}
          onClick={toggle}
          style={{ alignSelf: 'flex-start' }}
          className="print-hidden"
        >
          {isOpen ? strings.showLess : strings.showMore}
        </Anchor>
      )}
    </>
  )
}
