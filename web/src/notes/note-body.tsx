import { Spoiler, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { lazy, useMemo } from 'react'
import { strings } from '#strings/notes.ts'
import { queries } from '#web/api/queries.ts'
import type { Note } from '#web/api/service.ts'
import { LazyPart } from '#web/ui/lazy.tsx'
import classes from './note.module.css'
import { mentionText } from './note-text.ts'

// Its parser is large.
const Markdown = lazy(() => import('#web/ui/markdown/markdown.tsx'))

const FOLDED_HEIGHT = 220

/** The text of a note. Until the parser is loaded, it is shown as it was typed. */
export function NoteBody({ note, isWhole }: { note: Note; isWhole: boolean }) {
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
      <Markdown markdown={note.body} level={4} mentions={mentions} />
    </LazyPart>
  )
  if (isWhole) return body
  return (
    <Spoiler
      maxHeight={FOLDED_HEIGHT}
      showLabel={strings.showMore}
      hideLabel={strings.showLess}
      transitionDuration={0}
      styles={{ control: { fontSize: 'var(--mantine-font-size-sm)' } }}
    >
      {body}
    </Spoiler>
  )
}
