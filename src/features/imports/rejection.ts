const REASONS: Record<string, string> = {
  '22': 'The database cannot store a value of this row',
  '23': 'The row breaks a rule of the database',
  '54': 'A value of this row is too large for the database',
}

/** The reason if the database rejected the data (SQLSTATE class 22, 23 or 54); undefined for other errors. */
export function rejectionOf(error: unknown): string | undefined {
  const { code = '', constraint } = error as { code?: string; constraint?: string }
  const reason = REASONS[String(code).slice(0, 2)]
  return reason && `${reason} (${constraint ? `${constraint}, ` : ''}SQLSTATE ${code}).`
}
