import { Text } from '@mantine/core'
import { strings } from '#strings/files.ts'
import type { ListedFile } from '#web/api/service.ts'
import { FileCard } from '#web/files/file-card.tsx'
import { findMatches } from '#web/format/folded-text.ts'
import { ScreenLink } from '#web/ui/link.tsx'
import { MarkedText } from '#web/ui/marked-text.tsx'
import classes from './file-list.module.css'

interface FileListProps {
  files: readonly ListedFile[]
  /** The words that were searched for. */
  search: string | undefined
  isStale: boolean
}

/** Files with the passages that a search has found in them. */
export function FileList({ files, search, isStale }: FileListProps) {
  const words = search?.split(/\s+/).filter(Boolean) ?? []
  return (
    <ul className={classes.list} data-stale={isStale || undefined} aria-busy={isStale}>
      {files.map((file) => (
        <li key={file.id} className={classes.row}>
          <FileCard
            file={file}
            {...(search && { search, name: <MarkedText pieces={findMatches(file.name, words)} /> })}
          >
            {search && file.matches && file.matches.length > 0 && (
              <Passages file={file} search={search} words={words} />
            )}
          </FileCard>
        </li>
      ))}
    </ul>
  )
}

interface PassagesProps {
  file: ListedFile
  search: string
  words: readonly string[]
}

/** What was found, each with a link to its page. */
const Passages = ({ file: { id, matches = [], pages }, search, words }: PassagesProps) => (
  <ol className={classes.passages}>
    {matches.map(({ page, text }) => (
      <li key={`${page} ${text}`}>
        <ScreenLink
          to="/files/$id"
          params={{ id }}
          search={{ ...(page > 1 && { page }), search }}
          className={classes.passage}
          underline="never"
        >
          {(pages ?? 1) > 1 && (
            <Text span className={classes.page}>
              {strings.matchOn(page)}
            </Text>
          )}
          <Text span size="sm" c="var(--mantine-color-text)" className="break-anywhere" dir="auto">
            <MarkedText pieces={findMatches(text, words)} />
          </Text>
        </ScreenLink>
      </li>
    ))}
  </ol>
)
