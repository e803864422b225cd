import { PasswordInput } from "@mantine/core";
import { useState } from "react";

/** State of a new password and its confirmation. */
export function useNewPassword() {
  const [password, setPassword] = useState("");
  const [again, setAgain] = useState("");
  return {
    password,
    setPassword,
    again,
    setAgain,
    confirmed: again === password,
    /** The confirmation is filled in and differs. */
    differs: again !== "" && again !== password,
    clear: () => {
      setPassword("");
      setAgain("");
    },
  };
}

/** Fields for a new password and its confirmation. */
export function NewPassword({ of, error }: { of: ReturnType<typeof useNewPassword>; error: string | undefined }) {
  return (
    <>
      <PasswordInput
        label="New password"
        autoComplete="new-password"
        value={of.password}
        onChange={(e) => of.setPassword(e.currentTarget.value)}
        error={error}
        required
      />
      <PasswordInput
        label="Confirm password"
        autoComplete="new-password"
        value={of.again}
        onChange={(e) => of.setAgain(e.currentTarget.value)}
        error={of.differs ? "Passwords do not match" : undefined}
        required
      />
    </>
  );
}
