-- Challenge whose requirements the rematches of this one's game keep: the first one of a series of
-- rematches, as its creator may widen a rating range for one offer. NULL: the challenge itself.
ALTER TABLE challenge ADD COLUMN terms_of TEXT;
