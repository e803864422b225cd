import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { DataTable } from "../../components/DataTable";
import { Instant } from "../../components/Instant";
import { StateBadge } from "../../components/StateBadge";
import type { Column } from "../../components/table";
import { graphQuery } from "../../gql/client";
import { RolesDocument, type UserFieldsFragment, type UserSortField, UsersDocument } from "../../gql/documents";

/** The state of a member for its badge. */
export function stateOf(member: UserFieldsFragment) {
  if (!member.isActive) {
    return <StateBadge state="OFF" label="Disabled" />;
  }
  return member.passwordChangedAt === null ? (
    <StateBadge state="PENDING" label="Invited" />
  ) : (
    <StateBadge state="ACTIVE" />
  );
}

const columns: Column<UserFieldsFragment, UserSortField>[] = [
  { title: "Name", sort: "NAME", cell: (r) => r.name, csv: (r) => r.name },
  { title: "Email", sort: "EMAIL", cell: (r) => r.email, csv: (r) => r.email },
  { title: "Role", cell: (r) => r.role?.name, csv: (r) => r.role?.name },
  {
    title: "Status",
    cell: stateOf,
    csv: (r) => (r.isActive ? (r.passwordChangedAt === null ? "INVITED" : "ACTIVE") : "DISABLED"),
  },
  {
    title: "Two-factor",
    cell: (r) => (r.secondFactor ? "On" : "Off"),
    csv: (r) => (r.secondFactor ? "on" : "off"),
  },
  { title: "Last sign-in", cell: (r) => <Instant at={r.lastLoginAt} relative />, csv: (r) => r.lastLoginAt },
  { title: "Created", sort: "CREATED_AT", cell: (r) => <Instant at={r.createdAt} relative />, csv: (r) => r.createdAt },
];

export function Members() {
  const roles = useQuery(graphQuery(RolesDocument, {}));
  const options = useMemo(
    () => (roles.data?.roles ?? []).map((role) => ({ value: role.id, label: role.name })),
    [roles.data],
  );
  return (
    <DataTable
      name="users"
      document={UsersDocument}
      connection={(data) => data.users}
      variables={(value) => ({ filter: { q: value("q"), roleId: value("role") } })}
      columns={columns}
      defaultSort="NAME"
      rowKey={(r) => r.id}
      to={(r) => `/settings/users/${r.id}`}
      search="Name or email"
      filters={[{ name: "role", label: "Role", options }]}
      empty="No users yet."
    />
  );
}
