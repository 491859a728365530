import { Badge, Box, Button, Group, Stack, Text, ThemeIcon, Title, Tooltip } from '@mantine/core'
import {
  IconCornerUpLeft,
  IconLock,
  IconMail,
  IconMessage,
  IconNote,
  IconPhone,
  IconPinFilled,
  IconUsers,
} from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { lazy, useRef, useState } from 'react'
import { strings } from '#strings/notes.ts'
import { Person } from '#web/activity/person.tsx'
import { AboutLinks, ParticipantLinks } from '#web/activity/record-links.tsx'
import { noteQueries } from '#web/api/note-queries.ts'
import { queries } from '#web/api/queries.ts'
import type { ListedNote, Note } from '#web/api/service.ts'
import { useCan } from '#web/api/use-can.ts'
import { useFocusWhenClosed } from '#web/browser/focus.ts'
import { nameFromEmail } from '#web/fields/people.ts'
import { Age } from '#web/ui/age.tsx'
import { LazyDialog, LazyPart } from '#web/ui/lazy.tsx'
import { ScreenLink } from '#web/ui/link.tsx'
import { ErrorState, SkeletonLines } from '#web/ui/states.tsx'
import { EditNote, ReplyToNote } from './lazy-forms.ts'
import classes from './note.module.css'
import { NoteBody } from './note-body.tsx'
import { NoteMenu } from './note-menu.tsx'
import type { NoteKind } from './note-text.ts'

const NoteHistory = lazy(() => import('./note-history.tsx'))

const ICONS: Record<NoteKind, typeof IconNote> = {
  note: IconNote,
  call: IconPhone,
  meeting: IconUsers,
  email: IconMail,
}

interface NoteItemProps {
  note: ListedNote
  replies: readonly Note[]
  /** The level of the heading of the title. */
  level: 1 | 2 | 3
  /** The record whose page shows the note. */
  recordId?: string
  /** Whether it is the one note of the page, which shows its title. */
  isPage?: boolean
  /** Whether its text is cut off. The rest is loaded when it is wanted. */
  isShortened?: boolean
}

/** A note with its replies, and what can be done with it. */
export function NoteItem(props: NoteItemProps) {
  const { note, replies, level, recordId, isPage = false, isShortened = false } = props
  const mayWrite = useCan('write')
  const [isReplying, setReplying] = useState(false)
  const replyButton = useRef<HTMLButtonElement>(null)
  useFocusWhenClosed(isReplying, replyButton)
  const Icon = note.parent_id === null ? ICONS[note.kind] : IconMessage
  const bodyLevel = note.title || isPage ? level + 1 : level
  const others = note.about.filter(({ id }) => id !== recordId)
  const isAbout = others.length < note.about.length
  return (
    <Box
      component="article"
      className={classes.note}
      data-pinned={(note.pinned && !isPage) || undefined}
      data-note={note.id}
    >
      <div className={classes.columns}>
        <ThemeIcon
          variant="light"
          color={note.kind === 'note' ? 'gray' : 'ink'}
          size={28}
          radius="xl"
          aria-hidden
        >
          <Icon size={16} stroke={1.8} />
        </ThemeIcon>
        <Stack gap={6} miw={0} fz="sm">
          <NoteContent {...{ note, level, bodyLevel, isPage, isShortened }} />
          {note.participants.length > 0 && (
            <Text size="xs" c="dimmed">
              {note.participants.some(({ id }) => id === recordId) && (
                <Badge mr={6}>{strings.tookPart}</Badge>
              )}
              {strings.with} <ParticipantLinks people={note.participants} />
            </Text>
          )}
          {others.length > 0 && (
            <Text size="xs" c="dimmed">
              {isAbout ? strings.alsoAbout : strings.aboutThese} <AboutLinks about={others} />
            </Text>
          )}
          {replies.length > 0 && (
            <Box role="group" className={classes.replies} aria-label={strings.replies(replies.length)}>
              {replies.map((reply) => (
                <Stack key={reply.id} gap={4} component="article" data-note={reply.id}>
                  <NoteContent note={reply} level={level} bodyLevel={bodyLevel} isPage={isPage} />
                </Stack>
              ))}
            </Box>
          )}
          {mayWrite && note.parent_id === null && !isReplying && (
            <Button
              ref={replyButton}
              size="compact-xs"
              variant="subtle"
              color="gray"
              leftSection={<IconCornerUpLeft size={14} aria-hidden />}
              onClick={() => setReplying(true)}
              fw={400}
              c="dimmed"
              ml={-6}
              style={{ alignSelf: 'flex-start' }}
              className="print-hidden"
            >
              {strings.reply}
            </Button>
          )}
          {isReplying && (
            <LazyPart fallback={<SkeletonLines lines={3} />}>
              <ReplyToNote note={note} close={() => setReplying(false)} />
            </LazyPart>
          )}
        </Stack>
      </div>
    </Box>
  )
}

interface NoteContentProps {
  note: ListedNote
  level: 1 | 2 | 3
  bodyLevel: number
  isPage: boolean
  isShortened?: boolean
}

/** The author, the text, and the menu; or the form, while it is edited. */
function NoteContent({ note: listed, level, bodyLevel, isPage, isShortened = false }: NoteContentProps) {
  const [isEditing, setEditing] = useState(false)
  const [isWholeWanted, setWholeWanted] = useState(false)
  const needsWhole = isShortened && (isWholeWanted || isEditing)
  const whole = useQuery({ ...noteQueries.note(listed.id), enabled: needsWhole })
  const note: ListedNote = needsWhole && whole.data ? { ...listed, ...whole.data } : listed
  const link = useRef<HTMLAnchorElement>(null)
  useFocusWhenClosed(isEditing, link)
  const [showsHistory, setShowsHistory] = useState(false)
  const { data: me } = useQuery(queries.me())
  const isReply = note.parent_id !== null
  const author = note.author_email ? nameFromEmail(note.author_email) : (note.source ?? '')
  const label = note.title ?? strings.noteBy(isReply ? strings.replyIn : strings.kinds[note.kind], author)
  if (isEditing && needsWhole && !whole.data)
    return whole.isError ? (
      <ErrorState error={whole.error} retry={() => whole.refetch()} />
    ) : (
      <SkeletonLines lines={6} />
    )
  if (isEditing)
    return (
      <LazyPart fallback={<SkeletonLines lines={6} />}>
        <EditNote note={note} close={() => setEditing(false)} />
      </LazyPart>
    )
  return (
    <>
      <Group justify="space-between" gap="xs" wrap="nowrap" align="flex-start" mih={28}>
        <Group gap="0.25rem 0.5rem" mih={28}>
          <Text size="sm" component="span">
            <Person email={note.author_email} me={me?.email} startsSentence />{' '}
            {isReply ? strings.replied : strings.did[note.kind]}
            {note.source && ` ${strings.from(note.source)}`}
          </Text>
          <ScreenLink ref={link} to="/notes/$id" params={{ id: note.id }} size="xs" c="dimmed">
            <Age timestamp={note.happened_at} span />
          </ScreenLink>
          {note.pinned && (
            <Badge leftSection={<IconPinFilled size={11} aria-hidden />}>{strings.pinned}</Badge>
          )}
          {note.visibility === 'private' && (
            <Tooltip label={strings.privateTo}>
              <Badge color="orange" leftSection={<IconLock size={11} aria-hidden />}>
                {strings.isPrivate}
              </Badge>
            </Tooltip>
          )}
        </Group>
        <NoteMenu
          note={note}
          label={label}
          edit={() => setEditing(true)}
          showHistory={() => setShowsHistory(true)}
        />
      </Group>
      {note.title && !isPage && (
        <Title order={level} size="h6" className="break-anywhere" dir="auto">
          {note.title}
        </Title>
      )}
      {note.passage ? (
        <Passage {...note.passage} />
      ) : (
        <NoteBody
          note={note}
          level={bodyLevel}
          isWhole={isPage}
          isShortened={isShortened}
          onUnfold={() => setWholeWanted(true)}
        />
      )}
      {showsHistory && (
        <LazyDialog close={() => setShowsHistory(false)}>
          <NoteHistory note={note} close={() => setShowsHistory(false)} />
        </LazyDialog>
      )}
    </>
  )
}

/** The part of a text that a search has found. */
function Passage({ text, matches }: NonNullable<ListedNote['passage']>) {
  const ends = [0, ...matches.map(([, end]) => end)]
  return (
    <Text size="sm" className="break-anywhere" dir="auto">
      {matches.map(([start, end], index) => (
        <span key={start}>
          {text.slice(ends[index], start)}
          <mark>{text.slice(start, end)}</mark>
        </span>
      ))}
      {text.slice(ends.at(-1))}
    </Text>
  )
}
