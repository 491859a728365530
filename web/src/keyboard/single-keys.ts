const KEY = 'single-key-shortcuts'

/** Whether keys without Ctrl or ⌘ are shortcuts. Speech input can press them by accident (WCAG 2.2, 2.1.4). */
export const areSingleKeysOn = (): boolean => localStorage.getItem(KEY) !== 'off'

export const setSingleKeys = (isOn: boolean): void => {
  if (isOn) localStorage.removeItem(KEY)
  else localStorage.setItem(KEY, 'off')
}
