import { ActionIcon, Button, Group, Paper, Portal, Progress, Text, Title } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { useEffect, useId } from 'react'
import { strings } from '#strings/files.ts'
import { formatFileSize } from '#web/ui/file-size.ts'
import { targetName } from '../target-name.ts'
import classes from './upload-tray.module.css'
import { cancelUpload, retryUpload, type Upload, useUploads } from './uploads.ts'

/** The files that are on their way or have failed, above the screen in a corner. */
export function UploadTray() {
  const uploads = useUploads()
  const titleId = useId()
  const going = uploads.filter(({ state }) => state !== 'failed').length
  useUnloadWarning(going > 0)
  if (uploads.length === 0) return null
  return (
    <Portal>
      <Paper
        component="section"
        withBorder
        shadow="md"
        className={classes.tray}
        aria-labelledby={titleId}
        data-upload-tray
      >
        <Title order={2} size="h6" id={titleId} className={classes.title}>
          {going > 0 ? strings.uploading(going) : strings.notAdded(uploads.length)}
        </Title>
        <ul className={classes.list} aria-label={strings.uploads}>
          {uploads.map((upload) => (
            <UploadRow key={upload.id} upload={upload} />
          ))}
        </ul>
      </Paper>
    </Portal>
  )
}

function UploadRow({ upload }: { upload: Upload }) {
  const { id, file, target, state, sent, error, canRetry } = upload
  const isFailed = state === 'failed'
  const isWhole = state === 'sending' && sent >= file.size
  const share = file.size === 0 ? 100 : (100 * sent) / file.size
  const progress = isWhole ? strings.saving : strings.sent(formatFileSize(sent), formatFileSize(file.size))
  return (
    <li className={classes.row}>
      <Group gap="xs" wrap="nowrap" align="flex-start">
        <div className={classes.what}>
          <Text size="sm" fw={500} truncate="end" dir="auto" title={file.name}>
            {file.name}
          </Text>
          <Text size="xs" c="dimmed" truncate="end" dir="auto">
            {recordOf(target)}
            {!isFailed && ` · ${state === 'waiting' ? strings.waiting : progress}`}
          </Text>
        </div>
        <ActionIcon
          variant="subtle"
          color="gray"
          size={28}
          aria-label={(isFailed ? strings.dismiss : strings.cancel)(file.name)}
          onClick={() => cancelUpload(id)}
        >
          <IconX size={16} aria-hidden />
        </ActionIcon>
      </Group>
      {isFailed ? (
        <div role="alert">
          <Text size="xs" c="var(--mantine-color-error)" className="break-anywhere">
            {error}
          </Text>
          {canRetry && (
            <Button
              size="compact-xs"
              variant="default"
              mt={4}
              aria-label={strings.retryOf(file.name)}
              onClick={() => retryUpload(id)}
            >
              {strings.retry}
            </Button>
          )}
        </div>
      ) : (
        <Progress
          value={share}
          size="sm"
          aria-label={file.name}
          animated={isWhole}
          transitionDuration={100}
        />
      )}
    </li>
  )
}

/** Where the file goes. */
function recordOf(target: Upload['target']): string {
  if ('version' in target) return strings.newVersionOf(target.version.name)
  const [first] = target.about
  const name = first ? targetName(first) : ''
  const others = target.about.length - 1
  return strings.toRecord(others > 0 ? strings.andOthers(name, others) : name)
}

/** Has the browser ask before the tab is closed while files are on their way. */
function useUnloadWarning(isOn: boolean): void {
  useEffect(() => {
    if (!isOn) return
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', ask)
    return () => window.removeEventListener('beforeunload', ask)
  }, [isOn])
}
