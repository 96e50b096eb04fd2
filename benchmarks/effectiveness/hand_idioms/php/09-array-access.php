<?php

class SeedDrawer implements ArrayAccess
{
    public function offsetExists($offset)
    {
        return isset($this->seeds[$offset]);
    }

    public function offsetGet($offset)
    {
        return isset($this->seeds[$offset]) ? $this->seeds[$offset] : null;
    }

    public function offsetSet($offset, $value)
    {
        $this->seeds[$offset] = $value;
    }

    public function offsetUnset($offset)
    {
        unset($this->seeds[$offset]);
    }
}
