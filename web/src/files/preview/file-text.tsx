import { Alert, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { strings } from '#strings/files.ts'
import { fileQueries } from '#web/api/file-queries.ts'
import type { FileRecord } from '#web/api/service.ts'
import { findMatches } from '#web/format/folded-text.ts'
import { MarkedText } from '#web/ui/marked-text.tsx'
import { ErrorState, SkeletonLines } from '#web/ui/states.tsx'
import classes from './file-text.module.css'
import { PreviewBar } from './preview-bar.tsx'

interface FileTextProps {
  file: FileRecord
  page: number
  goTo: (page: number) => void
  words: readonly string[]
  /** What is shown of the text of a page. */
  textOf?: (text: string) => string
  /** In the bar above the text. */
  children?: ReactNode
}

/** The text of a file, one page at a time, with words marked. */
export function FileText({ file, page, goTo, words, textOf = (text) => text, children }: FileTextProps) {
  const pages = Math.max(1, file.pages ?? 1)
  const shown = Math.min(page, pages)
  const found = useQuery({
    ...fileQueries.text(file.id, file.version, shown),
    enabled: file.text_state === 'done',
  })
  if (file.text_state === 'pending') return <Alert color="gray">{strings.reading}</Alert>
  if (file.text_state !== 'done')
    return (
      <Alert color="gray" title={strings.noText}>
        {file.text_detail ?? strings.textStates[file.text_state] ?? strings.noTextHelp}
      </Alert>
    )
  const text = textOf(found.data?.pages.find((one) => one.page === shown)?.text ?? '')
  return (
    <>
      {pages > 1 ? (
        <PreviewBar page={shown} pages={pages} goTo={goTo}>
          {children}
        </PreviewBar>
      ) : (
        children
      )}
      {found.isPending && <SkeletonLines lines={10} />}
      {found.isError && !found.data && <ErrorState error={found.error} retry={() => found.refetch()} />}
      {found.data && (
        <section className={classes.text} aria-label={strings.pageOf(shown, pages)} data-page={shown}>
          {text.trim() === '' ? (
            <Text size="sm" c="dimmed">
              {strings.emptyPage}
            </Text>
          ) : (
            <Text size="sm" dir="auto" className={`break-anywhere ${classes.lines}`}>
              <MarkedText pieces={findMatches(text, words, text.length)} />
            </Text>
          )}
        </section>
      )}
    </>
  )
}
