import { Anchor, Text } from '@mantine/core'
import { IconChecklist } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { strings } from '#strings/tasks.ts'
import { queries } from '#web/api/queries.ts'
import { useCan } from '#web/api/use-can.ts'
import { personName } from '#web/fields/people.ts'
import { LazyDialog } from '#web/ui/lazy.tsx'
import { DueText } from './due-text.tsx'
import { TaskDialog } from './lazy-dialogs.ts'
import type { NextStep } from './next-step-text.tsx'
import classes from './tasks.module.css'

/** What comes next with a record: what, when, and who. Without a next step, a link that adds one. */
export function NextStepLine({ step, add }: { step: NextStep | null; add: () => void }) {
  const mayWrite = useCan('write')
  const users = useQuery(queries.allUsers()).data ?? []
  const [isOpen, setOpen] = useState(false)
  const close = () => setOpen(false)
  if (!step && !mayWrite) return null
  return (
    <Text size="sm" component="div" c="var(--mantine-color-text)" className={classes.nextStep}>
      <IconChecklist size={16} stroke={1.8} aria-hidden className={classes.fixed} />
      {step ? (
        <>
          <Text span inherit c="dimmed" className={classes.fixed}>
            {strings.nextStep}
          </Text>
          <Anchor
            component="button"
            type="button"
            inherit
            c="inherit"
            fw={600}
            dir="auto"
            title={step.title}
            className={classes.nextStepTitle}
            onClick={() => setOpen(true)}
          >
            {step.title}
          </Anchor>
          <DueText due={step} inherit className={classes.fixed} />
          {step.assignee_email && (
            <Text span inherit c="dimmed" truncate>
              <bdi>{personName(step.assignee_email, users)}</bdi>
            </Text>
          )}
        </>
      ) : (
        <Anchor component="button" type="button" inherit className="print-hidden" onClick={add}>
          {strings.addNextStep}
        </Anchor>
      )}
      {isOpen && step && (
        <LazyDialog close={close}>
          <TaskDialog id={step.task_id} close={close} />
        </LazyDialog>
      )}
    </Text>
  )
}
