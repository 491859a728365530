import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { strings } from '#strings/files.ts'
import { UserFacingError } from '#web/api/error-message.ts'
import { withUser } from '#web/api/service.ts'
import { ErrorState, SkeletonLines } from '#web/ui/states.tsx'
import { contentAddress } from '../file-address.ts'
import classes from './file-text.module.css'

/** Whether the content itself is text that can be shown. */
export const hasPlainText = ({ type }: { type: string }): boolean =>
  ['text/plain', 'text/markdown', 'text/csv'].includes(type)

/** More text makes the page slow. In bytes. */
const MAX_SHOWN = 400_000

/** The text of an earlier version, from its content: the service keeps the text of the version that is shown alone. */
export function VersionText({ id, version, size }: { id: string; version: number; size: number }) {
  const text = useQuery({
    queryKey: ['files', 'version-text', id, version],
    queryFn: ({ signal }) => fetchText(contentAddress(id, { version }), signal),
    staleTime: Number.POSITIVE_INFINITY,
  })
  if (text.isPending) return <SkeletonLines lines={10} />
  if (text.isError) return <ErrorState error={text.error} retry={() => text.refetch()} />
  return (
    <section className={classes.text} aria-label={strings.version(version)}>
      <Text size="sm" dir="auto" className={`break-anywhere ${classes.lines}`}>
        {text.data}
      </Text>
      {size > MAX_SHOWN && (
        <Text size="sm" c="dimmed" mt="md">
          {strings.textCut}
        </Text>
      )}
    </section>
  )
}

async function fetchText(address: string, signal: AbortSignal): Promise<string> {
  const { headers } = withUser()
  const range = { range: `bytes=0-${MAX_SHOWN - 1}` }
  const response = await fetch(address, { headers: { ...(headers as object), ...range }, signal })
  if (!response.ok) throw new UserFacingError(strings.versionFailed)
  return decode(new Uint8Array(await response.arrayBuffer()))
}

/** UTF-8, or the encodings of Windows: UTF-16 with its mark, else that of Western Europe. */
function decode(bytes: Uint8Array): string {
  const isWide = (first: number, second: number) => bytes[0] === first && bytes[1] === second
  if (isWide(0xff, 0xfe)) return new TextDecoder('utf-16le').decode(bytes)
  if (isWide(0xfe, 0xff)) return new TextDecoder('utf-16be').decode(bytes)
  try {
    // The end may be cut within a character.
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true })
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}
