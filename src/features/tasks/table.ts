import type { Repeat } from './schema.ts'

export interface TasksTable {
  id: string
  title: string
  /** One of the two at most. Without a zone. */
  due_on: string | null
  due_at: Date | null
  assignee_email: string | null
  author_email: string | null
  repeat: Repeat | null
  /** The day of the month that a monthly or quarterly task keeps: from 31 January through 28 February to 31 March. */
  repeat_day: number | null
  /** The time of day that a task keeps which is due later this once, because clocks were set forward. As HH:MM:SS.mmm. */
  repeat_time: string | null
  /** Of a reminder that a contact resets. */
  unless_contact_days: number | null
  done_at: Date | null
  done_by: string | null
  created_at: Date
  updated_at: Date
}

declare module '#src/platform/database/database.ts' {
  interface Tables {
    tasks: TasksTable
  }
}
