import { Text } from '@mantine/core'
import { useHere } from '../session.tsx'

export function CompanyName() {
  const { company } = useHere()
  return (
    <Text component="span" fw={600} truncate className="company-name" title={company.name} dir="auto">
      {company.name}
    </Text>
  )
}
