import { type MantineColorScheme, Menu, useMantineColorScheme } from '@mantine/core'
import { Icon, type IconName } from '../parts/icons.tsx'

export const themes: readonly {
  readonly value: MantineColorScheme
  readonly label: string
  readonly icon: IconName
}[] = [
  { value: 'auto', label: 'Theme of the system', icon: 'screen' },
  { value: 'light', label: 'Light theme', icon: 'sun' },
  { value: 'dark', label: 'Dark theme', icon: 'moon' },
]

export function ThemeItems() {
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  return themes.map(({ value, label, icon }) => (
    <Menu.Item
      key={value}
      leftSection={<Icon name={icon} size={16} />}
      onClick={() => setColorScheme(value)}
      closeMenuOnClick={false}
      {...(value === colorScheme ? { 'aria-current': true, rightSection: <Icon name="check" size={16} /> } : {})}
    >
      {label}
    </Menu.Item>
  ))
}
