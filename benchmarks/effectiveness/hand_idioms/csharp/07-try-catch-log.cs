        public async Task<bool> SavePostcardAsync(Postcard postcard)
        {
            try
            {
                _context.Postcards.Add(postcard);
                await _context.SaveChangesAsync();
                return true;
            }
            catch (DbUpdateException ex)
            {
                _logger.LogError(ex, "Could not save postcard {Id}", postcard.Id);
                return false;
            }
            catch (Exception ex)
            {
                _logger.LogError(ex, ex.Message);
                throw;
            }
        }
