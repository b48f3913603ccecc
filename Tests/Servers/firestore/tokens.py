"""Tokens for claims that a service account has signed."""

import base64
import json
import time

from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import padding

JWT_GRANT = "urn:ietf:params:oauth:grant-type:jwt-bearer"


class GrantError(Exception):
    pass


def load_key(path):
    """The public key in a PEM file."""
    if not path:
        return None
    with open(path, "rb") as file:
        return serialization.load_pem_public_key(file.read())


def unbase64(text):
    return base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)


def read_claims(public_key, assertion):
    """The claims of a signed JWT whose signature holds."""
    try:
        head, claims, signature = assertion.split(".")
        header = json.loads(unbase64(head))
        if header.get("alg") != "RS256":
            raise GrantError("Invalid JWT: the algorithm must be RS256.")
        signed = f"{head}.{claims}".encode("ascii")
        public_key.verify(unbase64(signature), signed, padding.PKCS1v15(), hashes.SHA256())
        return json.loads(unbase64(claims))
    except GrantError:
        raise
    except Exception:
        raise GrantError("Invalid JWT Signature.") from None


def check_claims(claims):
    """Claims are held against real time, whatever clock the tests have set."""
    if not claims.get("iss"):
        raise GrantError("Invalid JWT: iss is missing.")
    if not str(claims.get("aud", "")).endswith("/token"):
        raise GrantError("Invalid JWT: aud is not the address of the token endpoint.")
    issued, expires, now = claims.get("iat"), claims.get("exp"), time.time()
    for stamp in (issued, expires):
        if isinstance(stamp, bool) or not isinstance(stamp, (int, float)):
            raise GrantError("Invalid JWT: iat and exp must be numbers.")
    if not 0 < expires - issued <= 3600 or issued > now + 300 or expires < now:
        raise GrantError("Invalid JWT: Token must be a short-lived token (60 minutes) and in a reasonable "
                         "timeframe. Check your iat and exp values in the JWT claim.")
    if "datastore" not in str(claims.get("scope", "")):
        raise GrantError("Invalid JWT: the scope does not contain datastore.")


def exchange(service, form):
    if form.get("grant_type") != [JWT_GRANT]:
        raise GrantError("The grant type is not the JWT bearer grant.")
    if len(form.get("assertion", [])) != 1:
        raise GrantError("The assertion is missing.")
    if not service.public_key:
        raise GrantError("Invalid grant: account not found")
    check_claims(read_claims(service.public_key, form["assertion"][0]))
    return service.hand_out()
